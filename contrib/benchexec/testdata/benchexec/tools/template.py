"""A base class with the methods that whoop.py calls."""


class UnsupportedFeatureException(Exception):
    """A task asks for something the tool does not have."""


class BaseTool2:
    """Records how the version is asked for."""

    def _version_from_tool(self, executable, arg="--version", line_prefix=None):
        return f"{executable} {arg} {line_prefix}"
