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

/** Reads the starting points, one file each, by name. */
export const loadStartingPoints = (): LoadedStartingPoint[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => read(join(folder, file)))
    .sort((a, b) => a.shown.name.localeCompare(b.shown.name, 'en'));
