import { z } from 'zod';
import { defineTool, ToolError } from './service.ts';

function clockIn(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium', timeZone });
  } catch {
    throw new ToolError(`There is no time zone called ${timeZone}`);
  }
}

/** Tells the model the current time. */
export const clock = defineTool({
  tool: 'clock_now',
  description: 'The current date and time, in UTC and in a time zone of your choice.',
  input: z.object({ time_zone: z.string().max(100).optional().describe('IANA name, such as Europe/Oslo') }),
  output: z.object({ utc: z.string(), local: z.string(), time_zone: z.string() }),
  repeatable: true,
  run: async (_, { time_zone = 'UTC' }) => {
    const now = new Date();
    const local = clockIn(time_zone);
    return { utc: now.toISOString(), local: local.format(now), time_zone };
  },
});
