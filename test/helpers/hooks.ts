/**
 * Hooks for suites: each opens a resource before the suite and closes it afterwards. The returned object stands for the resource.
 *
 *     const app = useApp();
 *     const trade = use(() => openTrade(app, 1000));
 *     it('…', () => app.client.get(`/api/items/${trade.itemId}`));
 *
 * Hooks run in the order in which they stand, closings the other way round. When the suite is over, all that must hold in every
 * database (db/invariants.ts) is checked of what it leaves behind.
 */
import assert from 'node:assert/strict';
import type { Config } from '../../config/index.ts';
import { broken, describeFindings, verifyDatabase } from '../../db/verify.ts';
import { REAL_CLOCK, startTestApp, type TestApp, type TestAppOptions } from './app.ts';
import { addCompany, type Company, type TestCompany, testCompany } from './company.ts';
import { type Bench, deliveryBench } from './deliveries.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { testTemporal } from './servers.ts';
import { ALLOWED_TARGETS } from './targets.ts';
import { createNamespace, ENCRYPTION_KEY, startWorker, type TestNamespace } from './worker.ts';

type Closing = () => unknown;

export interface When {
  /** Whether each case gets one of its own; otherwise there is one for the suite. */
  readonly each?: boolean | undefined;
}

/** Resources still to close in each suite: after each case, and after the suite. */
const closings = { each: new WeakMap<Mocha.Suite, Closing[]>(), all: new WeakMap<Mocha.Suite, Closing[]>() };

/** Closes last what was opened first, all of it even if some fails. It is hooked up late: the suite's own `after` hooks come before. */
function closeAtEnd(suite: Mocha.Suite, closing: Closing, each: boolean): void {
  const of = each ? closings.each : closings.all;
  const known = of.get(suite);
  if (known !== undefined) {
    known.push(closing);
    return;
  }
  const open = [closing];
  of.set(suite, open);
  const closeAll = async () => {
    const failures: unknown[] = [];
    for (const close of open.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  if (each) suite.afterEach('closes what the case used', closeAll);
  else suite.afterAll('closes what the suite used', closeAll);
}

/**
 * Opens something before the suite, or before each case, and closes it afterwards.
 * @returns what stands for it, and is of use in hooks and cases only
 */
export function use<T extends object>(
  open: () => T | Promise<T>,
  { each = false, close = () => undefined }: When & { readonly close?: (opened: T) => unknown } = {},
): T {
  let opened: T | undefined;
  (each ? beforeEach : before)(async function () {
    const thing = await open();
    opened = thing;
    closeAtEnd(this.test?.parent as Mocha.Suite, () => close(thing), each);
  });
  const thing = (): T => {
    if (opened === undefined)
      throw new Error('Nothing is open yet: hooks and cases may use it, the suite itself may not');
    return opened;
  };
  return new Proxy({} as T, {
    get: (_, name) => {
      const value: unknown = Reflect.get(thing(), name);
      // Methods may need their own object, which has private members.
      return typeof value === 'function' ? value.bind(thing()) : value;
    },
    set: (_, name, value) => Reflect.set(thing(), name, value),
    has: (_, name) => Reflect.has(thing(), name),
    ownKeys: () => Reflect.ownKeys(thing()),
    getOwnPropertyDescriptor: (_, name) => {
      const described = Reflect.getOwnPropertyDescriptor(thing(), name);
      return described && { ...described, configurable: true };
    },
  });
}

/** Options may depend on what is open by then. */
type Lazy<T> = T | (() => T);

function currentOptions<T extends object>(options: Lazy<T>): T {
  return typeof options === 'function' ? (options as () => T)() : options;
}

export interface Soundness extends When {
  /** False where the suite writes rows past the services, which leave something out. */
  readonly sound?: boolean | undefined;
}

/** The API over HTTP on its own database, with a company. */
export function useApp(options: Lazy<TestAppOptions> = {}, { sound, each }: Soundness = {}): TestApp {
  return use(() => startTestApp(currentOptions(options)), {
    each,
    close: (app) => closeSound(app.databaseUrl, () => app.stop(), sound),
  });
}

/** A company in its own database, for tests of services. */
export function useCompany({ sound, each }: Soundness = {}): TestCompany {
  return use(testCompany, {
    each,
    close: (company) => closeSound(company.url, () => company.close(), sound),
  });
}

/** Another company in the database of one. */
export function useOtherCompany(company: Pick<TestCompany, 'database' | 'url'>, { each }: When = {}): Company {
  return use(() => addCompany(company.database, company.url), { each });
}

/** A sender and a receiver of webhooks, without workflows. Its events come from nothing, so that no invariants are checked. */
export function useDeliveries({ each, ...options }: When & { timeoutMs?: number } = {}): Bench {
  return use(() => deliveryBench(options), { each, close: (bench) => bench.close() });
}

/** A namespace of the run's Temporal server. */
export function useTemporal(): TestNamespace {
  return use(async () => createNamespace((await testTemporal()).address), {
    close: (namespace) => namespace.close(),
  });
}

/** The API on real time and the run's Temporal server, and a receiver that its webhooks, automations and plugins may reach. */
export function useIntegrations(): { temporal: TestNamespace; app: TestApp; receiver: Receiver } {
  const temporal = useTemporal();
  const app = useApp(() => ({
    clock: REAL_CLOCK,
    env: {
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      OUTBOUND_ALLOWED_TARGETS: ALLOWED_TARGETS,
      ENCRYPTION_KEY,
    },
  }));
  return { temporal, app, receiver: useReceiver() };
}

/** A worker of the service, inside the test process. */
export function useWorker(
  config: () => Config,
  options?: Parameters<typeof startWorker>[1],
): ReturnType<typeof startWorker> {
  return use(() => startWorker(config(), options), { close: (worker) => worker.stop() });
}

/** An HTTP server that receives webhooks. */
export function useReceiver(): Receiver {
  return use(() => startReceiver(), { close: (receiver) => receiver.close() });
}

/** @throws AssertionError when something in the database is not as it must always be */
export async function assertSound(url: string): Promise<void> {
  const findings = await verifyDatabase(url);
  assert.deepEqual(broken(findings), [], describeFindings(findings));
}

/** Always closes; first checks, unless disabled. */
export async function closeSound(url: string, close: Closing, sound = true): Promise<void> {
  try {
    if (sound) await assertSound(url);
  } finally {
    await close();
  }
}
