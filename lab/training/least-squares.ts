/**
 * A linear map from vectors to vectors by least squares with a ridge: the `A` that makes the sum over all pairs of
 * weight times the squared length of `to - A from`, and the ridge times the squares of `A`, smallest.
 */
export class LeastSquares {
  readonly #inputs: number;
  readonly #outputs: number;
  readonly #squares: Float64Array;
  readonly #products: Float64Array;

  constructor(inputs: number, outputs: number) {
    this.#inputs = inputs;
    this.#outputs = outputs;
    this.#squares = new Float64Array(inputs * inputs);
    this.#products = new Float64Array(inputs * outputs);
  }

  /** Takes a pair into account. */
  add(from: ArrayLike<number>, to: ArrayLike<number>, weight: number): void {
    for (let row = 0; row < this.#inputs; row += 1) {
      const value = (from[row] as number) * weight;
      addTimes(this.#squares.subarray(row * this.#inputs), from, value);
      addTimes(this.#products.subarray(row * this.#outputs), to, value);
    }
  }

  /**
   * Solves it, by Cholesky's decomposition.
   *
   * @param ridge Times the mean of the squares' diagonal, so that it does not depend on how many pairs there were.
   */
  solve(ridge: number): LinearMap {
    const size = this.#inputs;
    const factor = this.#squares.slice();
    let trace = 0;
    for (let row = 0; row < size; row += 1) trace += factor[row * size + row] as number;
    for (let row = 0; row < size; row += 1)
      factor[row * size + row] = (factor[row * size + row] as number) + (ridge * trace) / size;
    decompose(factor, size);
    const answer = this.#products.slice();
    substitute(factor, size, { columns: this.#outputs, numbers: answer });
    return new LinearMap(size, this.#outputs, answer);
  }
}

/** What `LeastSquares` found. */
export class LinearMap {
  readonly #inputs: number;
  readonly #outputs: number;
  readonly #numbers: Float64Array;

  constructor(inputs: number, outputs: number, numbers: Float64Array) {
    this.#inputs = inputs;
    this.#outputs = outputs;
    this.#numbers = numbers;
  }

  /** Where a vector is taken to. */
  apply(from: ArrayLike<number>): Float64Array {
    const to = new Float64Array(this.#outputs);
    for (let row = 0; row < this.#inputs; row += 1) {
      const value = from[row] as number;
      for (let column = 0; column < this.#outputs; column += 1)
        to[column] =
          (to[column] as number) + value * (this.#numbers[row * this.#outputs + column] as number);
    }
    return to;
  }
}

function addTimes(sums: Float64Array, numbers: ArrayLike<number>, factor: number): void {
  for (let index = 0; index < numbers.length; index += 1)
    sums[index] = (sums[index] as number) + factor * (numbers[index] as number);
}

/** The lower factor of a positive definite matrix, in place. */
function decompose(matrix: Float64Array, size: number): void {
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      let sum = matrix[row * size + column] as number;
      for (let index = 0; index < column; index += 1)
        sum -= (matrix[row * size + index] as number) * (matrix[column * size + index] as number);
      matrix[row * size + column] =
        row === column ? Math.sqrt(sum) : sum / (matrix[column * size + column] as number);
    }
  }
}

/** Solves for many right sides at once, in place: forward with the factor, backward with it mirrored. */
function substitute(
  factor: Float64Array,
  size: number,
  sides: { readonly columns: number; readonly numbers: Float64Array },
): void {
  const { columns, numbers } = sides;
  const take = (row: number, other: number, share: number): void => {
    for (let column = 0; column < columns; column += 1)
      numbers[row * columns + column] =
        (numbers[row * columns + column] as number) -
        share * (numbers[other * columns + column] as number);
  };
  const divide = (row: number): void => {
    const pivot = factor[row * size + row] as number;
    for (let column = 0; column < columns; column += 1)
      numbers[row * columns + column] = (numbers[row * columns + column] as number) / pivot;
  };
  for (let row = 0; row < size; row += 1) {
    for (let other = 0; other < row; other += 1)
      take(row, other, factor[row * size + other] as number);
    divide(row);
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    for (let other = row + 1; other < size; other += 1)
      take(row, other, factor[other * size + row] as number);
    divide(row);
  }
}
