import type { Command, Limits } from '../driver.ts';
import type { Usage } from '../local/usage-counter.ts';

/** What the child process is told on its standard input. */
export interface ShellRequest {
  command: Command;
  work: string;
  limits: Limits;
  used: Usage;
}

/** Where the child process says which limit ended it. */
export const reasonFd = 3;
