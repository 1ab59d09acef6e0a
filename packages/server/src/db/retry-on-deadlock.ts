/** Whether PostgreSQL has ended this one of several that waited for each other in a circle. */
const isDeadlock = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '40P01';

const tries = 5;

/**
 * Does it again when others were in its way. For what takes along everything below it: whoever works on a part of that
 * holds the part and wants the whole, and no order of locks suits both.
 */
export async function retryOnDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let left = tries - 1; ; left--)
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !isDeadlock(error)) throw error;
    }
}
