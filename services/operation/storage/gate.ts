/**
 * Lets requests that store something pass while their company has room. The bytes of a company are read every few seconds and remembered,
 * so that requests do not wait for them; bodies are added in between. A full company is read for each request: it has room again at once.
 */
import type { Context } from '../../../db/context.ts';
import type { Database } from '../../../db/database.ts';
import { BYTES_OF_A_REQUEST, type StorageUse, storageFull, storageLimit } from '../../../domain/platform/storage.ts';
import { readStorage, recordRecent, type StorageState } from '../../platform/storage/budget.ts';
import { alertStorage } from './alert.ts';
import { mayMeasureNow, measureCompany, readMeasurement } from './measure.ts';

/** How long the bytes of a company are remembered. */
const REMEMBERED_MS = 5000;
/** Bodies are written down when they are this many bytes in all, or after some minutes. */
const WRITTEN_BYTES = 64 * 1024;
const WRITTEN_MS = 5 * 60_000;
/** Companies remembered; those that come back are read again. */
const MAX_COMPANIES = 10_000;

interface Company {
  readAt: number;
  used: number;
  /** Bytes of requests that are not written down yet, and since when. */
  recent: number;
  recentSince: number;
  /** Whether this process has told people that the company is full. */
  told: boolean;
  /** The reading under way, for all requests of the moment. */
  reading: Promise<void> | null;
}

export class StorageGate {
  readonly #database: Database;
  readonly #budget: number;
  readonly #elapsed: () => number;
  readonly #companies = new Map<string, Company>();

  /** @param budget of each company, in bytes; 0 = no limit @param elapsed a clock in milliseconds */
  constructor(database: Database, budget: number, elapsed: () => number = () => performance.now()) {
    this.#database = database;
    this.#budget = budget;
    this.#elapsed = elapsed;
  }

  /**
   * Lets a request pass that changes something, and counts it.
   * @param use null for requests that always pass, such as deletions
   * @param bytes of its body
   * @throws ServiceError storage_full
   */
  async pass(ctx: Context, use: StorageUse | null, bytes: number): Promise<void> {
    const company = this.#company(ctx.tenantId);
    if (use !== null && this.#budget > 0) await this.#assertRoom(ctx, company, storageLimit(this.#budget, use));
    company.recent += bytes + BYTES_OF_A_REQUEST;
    const isOld = this.#elapsed() - company.recentSince >= WRITTEN_MS;
    if (company.recent >= WRITTEN_BYTES || isOld) await this.#writeDown(ctx, company);
  }

  /** Counts what triggers count too, until the bytes of the company are read again. */
  stored(tenantId: string, bytes: number): void {
    this.#company(tenantId).used += bytes;
  }

  async #assertRoom(ctx: Context, company: Company, limit: number): Promise<void> {
    const isFull = () => company.used + company.recent >= limit;
    if (this.#elapsed() - company.readAt >= REMEMBERED_MS || isFull()) {
      company.reading ??= this.#read(ctx, company).finally(() => {
        company.reading = null;
      });
      await company.reading;
    }
    if (isFull()) throw storageFull(this.#budget);
  }

  async #read(ctx: Context, company: Company): Promise<void> {
    const reader = this.#database.reader(ctx);
    let state = await readStorage(reader);
    if (this.#isFull(state, company)) {
      await this.#writeDown(ctx, company);
      // Deletions have made room, perhaps, or bodies have taken less than they stand for.
      if (mayMeasureNow(await readMeasurement(reader), ctx.now)) await measureCompany(this.#database, ctx);
      state = await readStorage(reader);
    }
    company.used = state.used;
    company.readAt = this.#elapsed();
    const full = this.#isFull(state, company);
    if (full === company.told) return;
    company.told = full;
    await alertStorage(this.#database, ctx, state);
  }

  #isFull({ used }: StorageState, { recent }: Company): boolean {
    return used + recent >= this.#budget;
  }

  async #writeDown(ctx: Context, company: Company): Promise<void> {
    const { recent } = company;
    company.recent = 0;
    company.recentSince = this.#elapsed();
    company.used += recent;
    if (recent > 0) await this.#database.withTenant(ctx, (trx) => recordRecent(trx, ctx, recent));
  }

  #company(tenantId: string): Company {
    const known = this.#companies.get(tenantId);
    if (known !== undefined) return known;
    if (this.#companies.size >= MAX_COMPANIES) this.#companies.clear();
    const readAt = Number.NEGATIVE_INFINITY;
    const company = { readAt, used: 0, recent: 0, recentSince: this.#elapsed(), told: false, reading: null };
    this.#companies.set(tenantId, company);
    return company;
  }
}
