import type { Command, Limits } from '../driver.ts';
import type { Usage } from '../local/usage-counter.ts';

/** The request that the child process reads from standard input. */
export interface ShellRequest {
  command: Command;
  work: string;
  limits: Limits;
  used: Usage;
}

/** The descriptor on which the child process reports which limit ended it. */
export const reasonFd = 3;
