/* Stops one thread of a process, and nothing else of it, until it or this program is killed:
 *   stop-thread PID NAME
 * So a test can see that the watchdog notices a timing thread that stands still. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char path[300], name[32];
	struct dirent *entry;
	DIR *tasks;

	if (argc != 3)
		return 2;
	snprintf(path, sizeof path, "/proc/%s/task", argv[1]);
	tasks = opendir(path);
	while (tasks && (entry = readdir(tasks))) {
		FILE *comm;

		snprintf(path, sizeof path, "/proc/%s/task/%s/comm", argv[1], entry->d_name);
		comm = fopen(path, "r");
		if (!comm)
			continue;
		if (fgets(name, sizeof name, comm))
			name[strcspn(name, "\n")] = 0;
		fclose(comm);
		if (strcmp(name, argv[2]))
			continue;
		if (ptrace(PTRACE_SEIZE, atoi(entry->d_name), 0, 0) ||
		    ptrace(PTRACE_INTERRUPT, atoi(entry->d_name), 0, 0)) {
			perror("ptrace");
			return 1;
		}
		puts("stopped");
		fflush(stdout);
		/* Whoever traces a thread has to fetch its death, else the process stays. */
		while (waitpid(-1, NULL, __WALL) > 0)
			;
		return 0;
	}
	fprintf(stderr, "no thread %s in %s\n", argv[2], argv[1]);
	return 1;
}
