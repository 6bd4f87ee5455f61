/** A run of the fuzzer over all routes: what each request cost, with doubtful costs measured again. */
import { ROUTES } from '../../../api/routes.ts';
import { OWNER, type TestApp } from '../app.ts';
import { type Attempt, attempt, plainRead } from './attempts.ts';
import { languageAttempts } from './languages.ts';
import { type Cost, Meter } from './measure.ts';
import { Random } from './random.ts';
import type { Ids } from './sample.ts';

export interface Finding extends Cost {
  readonly route: string;
  readonly how: string;
  /** Bytes by which the database grew. */
  readonly stored: number;
}

/** The same request with a quarter of the size, and as it is. */
export interface Pair {
  readonly small: Finding;
  readonly large: Finding;
}

/** The larger request has four times the bytes. */
const STEP = 4;
/** CPU that measures nothing: one garbage collection, or one function that was compiled. */
const DOUBTFUL_MS = 20;
const REPEATS = 4;

export class FuzzRun {
  readonly #app: TestApp;
  readonly #ids: Ids;
  readonly #meter: Meter;
  /** Bytes of the database after the last change. */
  #stored = 0;

  constructor(app: TestApp, ids: Ids) {
    this.#app = app;
    this.#ids = ids;
    this.#meter = new Meter(app.address);
  }

  /** Sends one attempt to every route and some to every language. @param seed the same seed sends the same requests */
  async round(seed: number): Promise<Pair[]> {
    const pairs: Pair[] = [];
    await this.#signIn();
    await this.#growth();
    for (const one of this.#attempts(seed)) pairs.push(await this.#pair(one));
    return pairs;
  }

  close(): void {
    this.#meter.close();
  }

  *#attempts(seed: number): Generator<Attempt> {
    yield* languageAttempts(this.#ids, new Random(seed));
    for (const [at, route] of ROUTES.entries()) {
      const random = new Random(seed * 1009 + at * 17 + 1);
      if (route.method === 'GET') yield plainRead(route, this.#ids, random);
      yield attempt(route, this.#ids, random);
    }
  }

  async #pair(one: Attempt): Promise<Pair> {
    const small = await this.#measure(one, one.most / STEP);
    const large = one.most === 0 ? small : await this.#measure(one, one.most);
    // Either may have met a collection of garbage, and a pair is compared: both are measured again.
    if (Math.max(small.cpu, large.cpu) < DOUBTFUL_MS) return { small, large };
    const least = await this.#again(one, one.most / STEP, small);
    return { small: least, large: large === small ? least : await this.#again(one, one.most, large) };
  }

  /** The least that a request takes, of some times that it gets the same answer. */
  async #again(one: Attempt, bytes: number, first: Finding): Promise<Finding> {
    let least = first;
    for (let repeat = 0; repeat < REPEATS && least.cpu > DOUBTFUL_MS / STEP; repeat += 1) {
      const next = await this.#measure(one, bytes);
      if (next.status === first.status && next.cpu < least.cpu) least = { ...next, stored: first.stored };
    }
    return least;
  }

  async #measure({ route, how, make }: Attempt, bytes: number): Promise<Finding> {
    const sent = make(Math.floor(bytes));
    const cost = await this.#meter.send(sent);
    if (cost.status === 401) await this.#signIn();
    return { ...cost, route, how, stored: sent.method === 'GET' ? 0 : await this.#growth() };
  }

  async #signIn(): Promise<void> {
    const { email, password } = OWNER;
    const { body } = await this.#app.anonymous.post('/api/auth/login', { email, password });
    this.#meter.token = body.token;
  }

  /** Bytes by which the database has grown since the last time. */
  async #growth(): Promise<number> {
    const { tenantId, database } = this.#app;
    const { rows } = await database.readTenant({ tenantId }, (db) =>
      db.raw<{ rows: { size: string }[] }>('select pg_database_size(current_database()) as size'),
    );
    const before = this.#stored;
    this.#stored = Number(rows[0]?.size);
    return this.#stored - before;
  }
}
