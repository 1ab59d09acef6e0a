import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type StartingPoint, startingPoint } from '@atrium/contract/agents/starting-point-schema.ts';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import { settingsInput } from '@atrium/contract/settings/settings.ts';

const folder = join(import.meta.dirname, '../../../../assets/starting-points');

export interface LoadedStartingPoint {
  /** As it is shown. */
  shown: StartingPoint;
  /** Its settings as requests are read. */
  settings: SparseSettings;
}

function read(file: string): LoadedStartingPoint {
  const shown = startingPoint.parse(JSON.parse(readFileSync(file, 'utf8')));
  return { shown, settings: settingsInput.parse(shown.definition) };
}

const loadStartingPoints = (): LoadedStartingPoint[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => read(join(folder, file)))
    .sort((a, b) => a.shown.name.localeCompare(b.shown.name, 'en'));

/** The starting points, one file each, by name. Read when they are first asked for: that takes some hundredths of a start. */
export function makeStartingPoints(): () => readonly LoadedStartingPoint[] {
  let loaded: readonly LoadedStartingPoint[] | undefined;
  return () => {
    loaded ??= loadStartingPoints();
    return loaded;
  };
}
