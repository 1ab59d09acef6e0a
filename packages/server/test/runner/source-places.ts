import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const maps = new Map<string, SourceMap | undefined>();

function mapOf(path: string): SourceMap | undefined {
  if (!maps.has(path)) {
    let map: SourceMap | undefined;
    try {
      map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
    } catch {
      // It was not bundled.
    }
    maps.set(path, map);
  }
  return maps.get(path);
}

export interface Place {
  file: string;
  line: number;
  column: number;
}

/** Where the source has what stands at a place of a bundle; the place itself if it is not in a bundle. */
export function placeInSource(place: Place): Place {
  const origin = mapOf(place.file)?.findOrigin(place.line, place.column);
  if (!origin || !('fileName' in origin) || !origin.fileName) return place;
  const file = fileURLToPath(new URL(origin.fileName, pathToFileURL(place.file)));
  return { file, line: origin.lineNumber, column: origin.columnNumber };
}

const bundledPlace = /(?:file:\/\/)?(\/[^():\s]+\.mjs):(\d+):(\d+)/g;

/** A text, such as the stack of an error, in which places of a bundle are those of the source. */
export const withSourcePlaces = (text: string) =>
  text.replaceAll(bundledPlace, (whole, file: string, line: string, column: string) => {
    const place = placeInSource({ file, line: Number(line), column: Number(column) });
    return place.file === file ? whole : `${pathToFileURL(place.file).href}:${place.line}:${place.column}`;
  });
