import { errorCode } from '../lib/error-code.ts';

/** Whether PostgreSQL has ended this one of several that waited for each other in a circle. */
const isDeadlock = (error: unknown): boolean => errorCode(error) === '40P01';

const tries = 5;

/**
 * Repeats work that PostgreSQL has ended because of a deadlock. For deletes that cascade: a transaction on a child
 * holds the child and wants the parent, and no order of locks suits both.
 */
export async function retryOnDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let left = tries - 1; ; left--)
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !isDeadlock(error)) throw error;
    }
}
