const candidates = [',', ';', '\t', '|'];
const linesLookedAt = 50;

/** How often each stands outside of quotes, line by line. */
function counts(head: string): Map<string, number[]> {
  const found = new Map<string, number[]>(candidates.map((candidate) => [candidate, []]));
  let [inside, line] = [false, new Map<string, number>()];
  const endLine = () => {
    for (const candidate of candidates) found.get(candidate)?.push(line.get(candidate) ?? 0);
    line = new Map();
  };
  for (const character of head) {
    if (character === '"') inside = !inside;
    else if (inside) continue;
    else if (character === '\n') {
      endLine();
      if ((found.get(',')?.length ?? 0) >= linesLookedAt) return found;
    } else if (found.has(character)) line.set(character, (line.get(character) ?? 0) + 1);
  }
  // An incomplete last line is ignored, unless it is the only line.
  if (found.get(',')?.length === 0) endLine();
  return found;
}

/** The character that parts cells: the one that is there equally often in most lines. */
export function delimiterOf(head: string): string {
  let [best, score] = [',', 0];
  for (const [candidate, lines] of counts(head)) {
    const first = lines[0] ?? 0;
    if (first === 0) continue;
    const same = lines.filter((count) => count === first).length / lines.length;
    const worth = same * same * (1 + Math.log2(first + 1));
    if (worth > score) [best, score] = [candidate, worth];
  }
  return best;
}
