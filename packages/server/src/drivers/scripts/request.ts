/** What the child process is told on its standard input, as JSON. */
export interface ScriptRequest {
  code: string;
  input: unknown;
  timeout_ms: number;
  memory_bytes: number;
}

export const mostResultBytes = 4 * 1024 * 1024;
export const mostDepth = 200;

/** How deep a text of JSON goes. What is too deep for one reader crashes the next. */
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
