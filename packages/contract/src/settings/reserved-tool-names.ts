import { baseTools } from './base-tools.ts';
import { otherTools } from './other-tools.ts';

/** Names that a model or a person might take for one another are the same name. */
export const foldToolName = (name: string) => name.toLowerCase().replaceAll('-', '_');

const reserved = [...baseTools, ...otherTools].map(({ type }) => type);

/** The platform's tools are named `<type>_<verb>`, whether or not this agent has them; clients' tools are not. */
export const isReservedName = (name: string) =>
  reserved.some((type) => foldToolName(name) === type || foldToolName(name).startsWith(`${type}_`));
