#include <unistd.h>
#include <stdio.h>
int main(){printf("%ld\n",sysconf(_SC_MINSIGSTKSZ));}
