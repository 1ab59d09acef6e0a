import { baseTools } from './base-tools.ts';
import { otherTools } from './other-tools.ts';

/** Names that a model or a person could confuse count as the same name. */
export const foldToolName = (name: string) => name.toLowerCase().replaceAll('-', '_');

const reserved = [...baseTools, ...otherTools].map(({ type }) => type);

/** The platform's tools are named `<type>_<verb>`; tools of clients may not have such names, even if the agent lacks the tool. */
export const isReservedName = (name: string) =>
  reserved.some((type) => foldToolName(name) === type || foldToolName(name).startsWith(`${type}_`));
