/** A sparse matrix by rows: the columns and values of row r stand from starts[r] to starts[r + 1]. */
export interface SparseMatrix {
  rows: number;
  columns: number;
  starts: Uint32Array;
  indexes: Uint32Array;
  values: Float32Array;
}

/** One step of a generator of numbers between -1 and 1, so that the same matrix gives the same vectors. */
function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

/** matrix × dense, where dense has `width` numbers a row. */
function multiply({ rows, starts, indexes, values }: SparseMatrix, dense: Float32Array, width: number): Float32Array {
  const out = new Float32Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const to = row * width;
    for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++) {
      const [value, from] = [values[at] ?? 0, (indexes[at] ?? 0) * width];
      for (let i = 0; i < width; i++) out[to + i] = (out[to + i] as number) + value * (dense[from + i] as number);
    }
  }
  return out;
}

/** The transposed matrix × dense. */
function multiplyTransposed(matrix: SparseMatrix, dense: Float32Array, width: number): Float32Array {
  const { rows, columns, starts, indexes, values } = matrix;
  const out = new Float32Array(columns * width);
  for (let row = 0; row < rows; row++) {
    const from = row * width;
    for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++) {
      const [value, to] = [values[at] ?? 0, (indexes[at] ?? 0) * width];
      for (let i = 0; i < width; i++) out[to + i] = (out[to + i] as number) + value * (dense[from + i] as number);
    }
  }
  return out;
}

/** Makes the columns orthonormal (Cholesky QR); columns that depend on others become zero. */
function orthonormalize(dense: Float32Array, rows: number, width: number): void {
  const gram = new Float64Array(width * width);
  for (let row = 0; row < rows; row++) {
    const from = row * width;
    for (let i = 0; i < width; i++) {
      const value = dense[from + i] as number;
      if (value === 0) continue;
      const to = i * width;
      for (let j = 0; j <= i; j++) gram[to + j] = (gram[to + j] as number) + value * (dense[from + j] as number);
    }
  }
  for (let i = 0; i < width; i++) {
    const own = gram[i * width + i] as number;
    for (let j = 0; j <= i; j++) {
      let sum = gram[i * width + j] as number;
      for (let k = 0; k < j; k++) sum -= (gram[i * width + k] as number) * (gram[j * width + k] as number);
      if (i !== j) gram[i * width + j] = gram[j * width + j] === 0 ? 0 : sum / (gram[j * width + j] as number);
      else gram[i * width + i] = sum > own * 1e-9 && sum > 1e-30 ? Math.sqrt(sum) : 0;
    }
  }
  for (let row = 0; row < rows; row++) {
    const from = row * width;
    for (let i = 0; i < width; i++) {
      const pivot = gram[i * width + i] as number;
      let value = dense[from + i] as number;
      for (let k = 0; k < i; k++) value -= (gram[i * width + k] as number) * (dense[from + k] as number);
      dense[from + i] = pivot === 0 ? 0 : value / pivot;
    }
  }
}

/** Rounds of the iteration: further ones cost time and hardly changed the figures of a test collection. */
const rounds = 3;

/**
 * An orthonormal basis of the rows of the matrix's strongest directions, as a vector of `width` numbers for each column:
 * subspace iteration from a start that depends on `seeds` of the columns alone, so the order of rows does not matter.
 */
export function strongestDirections(matrix: SparseMatrix, width: number, seeds: ArrayLike<number>): Float32Array {
  const { columns } = matrix;
  let basis = new Float32Array(columns * width);
  for (let column = 0; column < columns; column++) {
    const random = makeRandom(seeds[column] ?? column);
    for (let i = 0; i < width; i++) basis[column * width + i] = random();
  }
  for (let round = 0; round < rounds; round++) {
    const rows = multiply(matrix, basis, width);
    orthonormalize(rows, matrix.rows, width);
    basis = multiplyTransposed(matrix, rows, width) as Float32Array<ArrayBuffer>;
  }
  orthonormalize(basis, columns, width);
  return basis;
}
