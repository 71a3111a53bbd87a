int isalpha(int), isdigit(int), isalnum(int), isspace(int), isupper(int), islower(int), tolower(int), toupper(int);
