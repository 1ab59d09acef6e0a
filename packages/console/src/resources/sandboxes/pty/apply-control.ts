import { colorOf, nearestColor, plain, type Style } from './cells.ts';
import type { Screen } from './screen.ts';

interface Control {
  /** `?` for modes of the terminal. */
  mark: string;
  final: string;
  /** 0 where none is given. */
  numbers: readonly number[];
}

/** A colour by its number or its parts, and how many numbers that took. */
function extendedColor([kind, ...parts]: readonly number[]): { color: number | undefined; used: number } {
  if (kind === 5) return { color: nearestColor(parts[0] ?? 0), used: 2 };
  if (kind === 2) return { color: colorOf(parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0), used: 4 };
  return { color: undefined, used: 1 };
}

function styleAfter(before: Style, numbers: readonly number[]): Style {
  let style: Style = before;
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] ?? 0;
    if (number === 0) style = plain;
    else if (number === 1) style = { ...style, bold: true };
    else if (number === 2) style = { ...style, dim: true };
    else if (number === 4) style = { ...style, underline: true };
    else if (number === 7) style = { ...style, inverse: true };
    else if (number === 22) style = { ...style, bold: false, dim: false };
    else if (number === 24) style = { ...style, underline: false };
    else if (number === 27) style = { ...style, inverse: false };
    else if (number >= 30 && number <= 37) style = { ...style, color: number - 30 };
    else if (number >= 90 && number <= 97) style = { ...style, color: number - 82 };
    else if (number === 39) style = { ...style, color: undefined };
    else if (number >= 40 && number <= 47) style = { ...style, background: number - 40 };
    else if (number >= 100 && number <= 107) style = { ...style, background: number - 92 };
    else if (number === 49) style = { ...style, background: undefined };
    else if (number === 38 || number === 48) {
      const { color, used } = extendedColor(numbers.slice(index + 1));
      style = { ...style, ...(number === 38 ? { color } : { background: color }) };
      index += used;
    }
  }
  return style;
}

function setMode(screen: Screen, mode: number, isOn: boolean): void {
  if (mode === 1) screen.hasApplicationKeys = isOn;
  else if (mode === 25) screen.isCursorShown = isOn;
  else if (mode === 2004) screen.marksPaste = isOn;
  else if (mode === 47 || mode === 1047 || mode === 1049) screen.chooseOther(isOn);
}

function eraseScreen(screen: Screen, kind: number): void {
  if (kind === 0) screen.eraseCells(screen.x, screen.cols);
  if (kind === 0) screen.eraseRows(screen.y + 1, screen.rows);
  else if (kind === 1) screen.eraseRows(0, screen.y);
  else screen.eraseRows(0, screen.rows);
  if (kind === 1) screen.eraseCells(0, screen.x + 1);
  if (kind === 3) screen.history = [];
}

/** Does what a sequence with parameters asks for. Those that no usual program needs are ignored. */
export function applyControl(screen: Screen, { mark, final, numbers }: Control): void {
  const [first = 0, second = 0] = numbers;
  const count = Math.max(1, first);
  const { x, y } = screen;
  if (mark === '?') {
    if (final === 'h' || final === 'l') for (const mode of numbers) setMode(screen, mode, final === 'h');
    return;
  }
  if (mark) return;
  const acts: Record<string, () => void> = {
    A: () => screen.moveTo(y - count, x),
    B: () => screen.moveTo(y + count, x),
    C: () => screen.moveTo(y, x + count),
    D: () => screen.moveTo(y, x - count),
    E: () => screen.moveTo(y + count, 0),
    F: () => screen.moveTo(y - count, 0),
    G: () => screen.moveTo(y, count - 1),
    d: () => screen.moveTo(count - 1, x),
    H: () => screen.moveTo(count - 1, Math.max(1, second) - 1),
    f: () => screen.moveTo(count - 1, Math.max(1, second) - 1),
    J: () => eraseScreen(screen, first),
    K: () => screen.eraseCells(first === 0 ? x : 0, first === 1 ? x + 1 : screen.cols),
    L: () => screen.shiftLines(count),
    M: () => screen.shiftLines(-count),
    '@': () => screen.shiftCells(count),
    P: () => screen.shiftCells(-count),
    X: () => screen.eraseCells(x, x + count),
    S: () => screen.scroll(count),
    T: () => screen.scroll(-count),
    r: () => screen.setRegion(count - 1, (second || screen.rows) - 1),
    s: () => screen.save(),
    u: () => screen.restore(),
    m: () => {
      screen.style = styleAfter(screen.style, numbers);
    },
  };
  acts[final]?.();
}
