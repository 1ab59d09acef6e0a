/** The request that the child process reads from standard input, as JSON. */
export interface ScriptRequest {
  code: string;
  input: unknown;
  timeout_ms: number;
  memory_bytes: number;
}

export const mostResultBytes = 4 * 1024 * 1024;
export const mostDepth = 200;

/** The nesting depth of a JSON text. Too deep a value would crash the next reader. */
export function depthOf(json: string): number {
  let [depth, deepest, inText] = [0, 0, false];
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (inText) {
      if (character === '\\') index++;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth--;
  }
  return deepest;
}
