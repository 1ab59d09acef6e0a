import { createContext, useContext } from 'react';
import type { GraphCommands } from './use-graph-commands.ts';

export type BuildDialog =
  | { kind: 'add'; after: string | undefined }
  | { kind: 'connect'; from: string; to?: string }
  | { kind: 'move-after'; id: string }
  | { kind: 'find' }
  | { kind: 'faults' };

interface Build {
  commands: GraphCommands;
  view: 'canvas' | 'outline';
  /** The step whose panel is open. */
  opened: string | undefined;
  open: (id: string | undefined, focus?: boolean) => void;
  show: (dialog: BuildDialog | undefined) => void;
}
export const BuildContext = createContext<Build | undefined>(undefined);

/** What canvas, outline and step panel share. */
export function useBuild(): Build {
  const build = useContext(BuildContext);
  if (!build) throw new Error('There is no canvas here');
  return build;
}
