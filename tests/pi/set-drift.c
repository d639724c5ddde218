/* Lets the system's clock run faster than the oscillator by so many parts in a million, and says that
 * it is right, as the network's time does on a Pi whose oscillator is slow:
 *   set-drift PPM */
#include <stdio.h>
#include <stdlib.h>
#include <sys/timex.h>

int main(int argc, char **argv)
{
	struct timex wanted = { .modes = ADJ_FREQUENCY | ADJ_STATUS | ADJ_MAXERROR | ADJ_ESTERROR };

	if (argc != 2)
		return 2;
	wanted.freq = atol(argv[1]) * 65536;
	if (adjtimex(&wanted) < 0) {
		perror("adjtimex");
		return 1;
	}
	return 0;
}
