/** A candidate of a query as training sees it. */
export interface TrainingRow {
  readonly path: string;
  readonly gain: number;
  readonly values: readonly number[];
}

/** A query with its candidates. */
export interface TrainingQuery {
  readonly query: string;
  readonly category: string;
  readonly isSymbol: boolean;
  /** Gains of all wanted files, those that are not candidates too. */
  readonly gains: readonly number[];
  readonly rows: readonly TrainingRow[];
  /** Weight of the query in the loss. */
  readonly weight: number;
}

/** Options of the training; all have defaults. */
export interface ListwiseOptions {
  /** Steps of the descent at most; default 80. */
  readonly stepCountMax?: number;
  /** Factor of the squared distance from `start` in the loss; default 0.002. */
  readonly decay?: number;
  /** Features that are left out, by index. */
  readonly omitted?: ReadonlySet<number>;
  /** Weights that the fitted ones are drawn to; default none. */
  readonly start?: Float64Array;
}

/**
 * Fits weights by L-BFGS on the listwise softmax loss
 * `-Σ_f p_f · log softmax(w·x)_f + decay/2 · |w - start|²`, p_f the share of the query's gain that file f has; features
 * are standardised by their spread within queries, and the weights are given for the raw values.
 */
export function fitListwise(
  queries: readonly TrainingQuery[],
  featureCount: number,
  options: ListwiseOptions = {},
): Float64Array {
  const { stepCountMax = 80, decay = 0.002, omitted, start } = options;
  const usable = queries.filter(({ rows }) => rows.some(({ gain }) => gain > 0));
  const scales = spreadOf(usable, featureCount);
  for (const index of omitted ?? []) scales[index] = 0;
  const packed = usable.map((query) => pack(query, scales));
  const weightSum = packed.reduce((sum, { weight }) => sum + weight, 0);
  const origin = scales.map((scale, index) => (scale === 0 ? 0 : (start?.[index] ?? 0) / scale));
  const weights = minimise(origin, stepCountMax, (at, gradient) => {
    gradient.fill(0);
    let loss = 0;
    for (const query of packed) loss += addGradient(query, at, gradient);
    loss /= weightSum;
    for (let index = 0; index < featureCount; index += 1) {
      const distance = (at[index] as number) - (origin[index] as number);
      gradient[index] = (gradient[index] as number) / weightSum + decay * distance;
      loss += (decay / 2) * distance ** 2;
    }
    return loss;
  });
  return weights.map((weight, index) => weight * (scales[index] as number));
}

/** L-BFGS with a memory of ten steps and a halving line search. */
function minimise(
  from: Float64Array,
  stepCountMax: number,
  evaluate: (at: Float64Array, gradient: Float64Array) => number,
): Float64Array {
  let at = from.slice();
  let gradient = new Float64Array(at.length);
  let loss = evaluate(at, gradient);
  const memory: {
    readonly step: Float64Array;
    readonly change: Float64Array;
    readonly rho: number;
  }[] = [];
  for (let count = 0; count < stepCountMax; count += 1) {
    const direction = gradient.slice();
    const factors: number[] = [];
    for (const { step, change, rho } of memory.toReversed()) {
      const factor = rho * dot(step, direction);
      factors.unshift(factor);
      addScaled(direction, change, -factor);
    }
    const last = memory.at(-1);
    const scale = last === undefined ? 1 : 1 / (last.rho * dot(last.change, last.change));
    for (let index = 0; index < direction.length; index += 1)
      direction[index] = (direction[index] as number) * scale;
    for (const [index, { step, change, rho }] of memory.entries())
      addScaled(direction, step, (factors[index] as number) - rho * dot(change, direction));
    const slope = -dot(gradient, direction);
    let rate = 1;
    for (;;) {
      const next = at.slice();
      addScaled(next, direction, -rate);
      const nextGradient = new Float64Array(at.length);
      const nextLoss = evaluate(next, nextGradient);
      if (nextLoss <= loss + 1e-4 * rate * slope || rate < 1e-4) {
        const step = next.map((value, index) => value - (at[index] as number));
        const change = nextGradient.map((value, index) => value - (gradient[index] as number));
        const curvature = dot(step, change);
        if (curvature > 1e-12) memory.push({ step, change, rho: 1 / curvature });
        if (memory.length > 10) memory.shift();
        const gain = loss - nextLoss;
        at = next;
        gradient = nextGradient;
        loss = nextLoss;
        if (gain < 1e-6) return at;
        break;
      }
      rate /= 2;
    }
  }
  return at;
}

function dot(left: Float64Array, right: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index += 1)
    sum += (left[index] as number) * (right[index] as number);
  return sum;
}

function addScaled(target: Float64Array, source: Float64Array, factor: number): void {
  for (let index = 0; index < target.length; index += 1)
    target[index] = (target[index] as number) + factor * (source[index] as number);
}

interface PackedQuery {
  readonly rowCount: number;
  readonly values: Float64Array;
  readonly shares: Float64Array;
  readonly scores: Float64Array;
  readonly weight: number;
}

/** One over the standard deviation of each feature within queries; 0 for one that never varies. */
function spreadOf(queries: readonly TrainingQuery[], featureCount: number): Float64Array {
  const squares = new Float64Array(featureCount);
  let count = 0;
  for (const { rows } of queries) {
    const means = new Float64Array(featureCount);
    for (const { values } of rows)
      for (let index = 0; index < featureCount; index += 1)
        means[index] = (means[index] as number) + (values[index] as number) / rows.length;
    for (const { values } of rows)
      for (let index = 0; index < featureCount; index += 1)
        squares[index] =
          (squares[index] as number) + ((values[index] as number) - (means[index] as number)) ** 2;
    count += rows.length;
  }
  return squares.map((sum) => {
    const deviation = Math.sqrt(sum / Math.max(1, count));
    return deviation < 1e-6 ? 0 : 1 / Math.max(deviation, 0.02);
  });
}

function pack({ rows, weight }: TrainingQuery, scales: Float64Array): PackedQuery {
  const featureCount = scales.length;
  const values = new Float64Array(rows.length * featureCount);
  const gainSum = rows.reduce((sum, { gain }) => sum + gain, 0);
  for (const [row, { values: raw }] of rows.entries())
    for (let index = 0; index < featureCount; index += 1)
      values[row * featureCount + index] = (raw[index] as number) * (scales[index] as number);
  return {
    rowCount: rows.length,
    values,
    shares: Float64Array.from(rows, ({ gain }) => gain / gainSum),
    scores: new Float64Array(rows.length),
    weight,
  };
}

/** @returns The loss of the query. */
function addGradient(query: PackedQuery, weights: Float64Array, gradient: Float64Array): number {
  const { rowCount, values, shares, scores, weight } = query;
  const featureCount = weights.length;
  let most = -Infinity;
  let expected = 0;
  for (let row = 0, at = 0; row < rowCount; row += 1) {
    let score = 0;
    for (let index = 0; index < featureCount; index += 1, at += 1)
      score += (values[at] as number) * (weights[index] as number);
    scores[row] = score;
    expected += score * (shares[row] as number);
    if (score > most) most = score;
  }
  let sum = 0;
  for (let row = 0; row < rowCount; row += 1) {
    const raised = Math.exp((scores[row] as number) - most);
    scores[row] = raised;
    sum += raised;
  }
  for (let row = 0, at = 0; row < rowCount; row += 1) {
    const slope = weight * ((scores[row] as number) / sum - (shares[row] as number));
    if (Math.abs(slope) < 1e-7) {
      at += featureCount;
      continue;
    }
    for (let index = 0; index < featureCount; index += 1, at += 1)
      gradient[index] = (gradient[index] as number) + slope * (values[at] as number);
  }
  return weight * (most + Math.log(sum) - expected);
}

/** NDCG@10 of a query under some weights. */
export function ndcgOf(query: TrainingQuery, weights: Float64Array): number {
  const scored = query.rows.map(({ gain, values }, row) => {
    let score = 0;
    for (const [index, value] of values.entries()) score += value * (weights[index] as number);
    return { gain, score, row };
  });
  scored.sort((a, b) => b.score - a.score || a.row - b.row);
  const discounted = (gains: readonly number[]): number =>
    gains.slice(0, 10).reduce((sum, gain, rank) => sum + gain / Math.log2(rank + 2), 0);
  const ideal = discounted(query.gains.toSorted((a, b) => b - a));
  return ideal === 0 ? 0 : discounted(scored.map(({ gain }) => gain)) / ideal;
}
