import * as z from 'zod';

/** An agent to begin with, as it is written in a file of the repository. */
export const startingPoint = z
  .strictObject({
    key: z.string().describe('Names the starting point when an agent is created.'),
    name: z.string().describe('A name for the agent.'),
    description: z.string().describe('What such an agent does.'),
    category: z.string().describe('What it is for, to group the list.'),
    icon: z.string().describe('The name of an icon.'),
    next_steps: z.array(z.string()).describe('What is to be added for it to be of full use.'),
    definition: z.record(z.string(), z.unknown()).describe('The settings that differ from the defaults.'),
  })
  .meta({ id: 'StartingPoint' });
export const startingPoints = z.array(startingPoint);
export type StartingPoint = z.output<typeof startingPoint>;
