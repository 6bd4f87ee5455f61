/**
 * Sends clients what comes for them: all clients of a company that have something to come share a statement. A client gets the next only
 * when the last has left, so that a slow one holds up nobody and costs little memory.
 */
import type { Database } from '../../db/database.ts';
import { Notification } from '../../db/models/notifications.ts';
import { Task } from '../../db/models/tasks.ts';
import { findRow } from '../../db/queries/find.ts';
import type { Signal } from '../../services/notifications/channel.ts';
import { newsAfter } from '../../services/notifications/feed.ts';
import type { Logger } from '../logger.ts';
import type { Client } from './client.ts';

/** Clients per statement, and notifications per client. */
const CLIENTS_AT_A_TIME = 100;
const NEWS_AT_A_TIME = 50;
/** How long a task gathers progress: it is told of at most twice a second. */
const TASK_MS = 500;
/** When it is tried again after the database failed. */
const RETRY_MS = 2000;

/** The clients of a company. */
interface Company {
  readonly clients: Set<Client>;
  /** Those for whom something may have come. */
  readonly due: Set<Client>;
  running: boolean;
}

export class Feed {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #companies = new Map<string, Company>();
  /** Tasks to be told of. */
  readonly #tasks = new Map<string, NodeJS.Timeout>();
  #closed = false;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** Its clients in a company. */
  clientsOf(tenantId: string): ReadonlySet<Client> {
    return this.#companies.get(tenantId)?.clients ?? new Set();
  }

  add(client: Client, tenantId: string): void {
    const company = this.#companies.get(tenantId) ?? { clients: new Set(), due: new Set(), running: false };
    company.clients.add(client);
    this.#companies.set(tenantId, company);
    client.onIdle = () => {
      if (company.due.has(client) && !company.running) void this.#run(tenantId, company);
    };
  }

  remove(client: Client, tenantId: string): void {
    const company = this.#companies.get(tenantId);
    if (company === undefined) return;
    company.clients.delete(client);
    company.due.delete(client);
    if (company.clients.size === 0) this.#companies.delete(tenantId);
  }

  /** What a process has signalled. */
  hear(signal: Signal): void {
    const { tenantId } = signal;
    const company = this.#companies.get(tenantId);
    if (company === undefined) return;
    if ('taskId' in signal) {
      this.#tellTask(tenantId, signal.taskId, signal.viewer);
      return;
    }
    const users = new Set(signal.userIds);
    this.#catchUp(tenantId, (client) => users.has(client.connected?.viewer ?? ''));
  }

  /** Sends a client all that it has not seen. */
  catchUp(client: Client, tenantId: string): void {
    this.#catchUp(tenantId, (one) => one === client);
  }

  /** Signals may have been missed. */
  catchUpAll(): void {
    for (const tenantId of this.#companies.keys()) this.#catchUp(tenantId, () => true);
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#tasks.values()) clearTimeout(timer);
    this.#tasks.clear();
  }

  #catchUp(tenantId: string, isMeant: (client: Client) => boolean): void {
    const company = this.#companies.get(tenantId);
    if (company === undefined || this.#closed) return;
    for (const client of company.clients) if (client.after !== null && isMeant(client)) company.due.add(client);
    if (!company.running) void this.#run(tenantId, company);
  }

  async #run(tenantId: string, company: Company): Promise<void> {
    company.running = true;
    try {
      for (;;) {
        // Who is still being sent something is due again when that has left.
        const ready = [...company.due].filter(({ isSending }) => !isSending).slice(0, CLIENTS_AT_A_TIME);
        if (ready.length === 0 || this.#closed) break;
        for (const client of ready) company.due.delete(client);
        await this.#feed(tenantId, company, ready);
      }
    } catch (error) {
      this.#logger.warn({ error: String(error) }, 'Notifications could not be read for connected clients');
      setTimeout(() => this.#catchUp(tenantId, () => true), RETRY_MS).unref();
    } finally {
      company.running = false;
    }
  }

  async #feed(tenantId: string, company: Company, clients: readonly Client[]): Promise<void> {
    const cursors = clients.map(({ connected, after }) => ({ userId: connected?.viewer ?? '', after: after ?? '' }));
    const news = await newsAfter(this.#database.reader({ tenantId }), cursors, NEWS_AT_A_TIME);
    const messages = clients.map((): object[] => []);
    for (const { place, notification, unread: unread_count } of news) {
      const client = clients[place];
      if (client === undefined) continue;
      client.after = notification.id;
      messages[place]?.push({
        type: 'notification',
        data: Notification.toJson({ ...notification }),
        unread_count,
      });
    }
    for (const [place, client] of clients.entries()) {
      const own = messages[place] ?? [];
      // There may be more.
      if (own.length === NEWS_AT_A_TIME) company.due.add(client);
      client.send(own);
    }
  }

  #tellTask(tenantId: string, taskId: string, viewer: string): void {
    if (this.#tasks.has(taskId) || this.#closed) return;
    if (![...this.clientsOf(tenantId)].some(({ connected }) => connected?.viewer === viewer)) return;
    const timer = setTimeout(() => {
      this.#tasks.delete(taskId);
      this.#readTask(tenantId, taskId, viewer).catch((error: unknown) => {
        this.#logger.warn({ error: String(error) }, 'A task could not be read for connected clients');
      });
    }, TASK_MS);
    this.#tasks.set(taskId, timer.unref());
  }

  async #readTask(tenantId: string, taskId: string, viewer: string): Promise<void> {
    const task = await findRow(this.#database.reader({ tenantId }), Task, { id: taskId });
    const message =
      task === undefined
        ? { type: 'task_removed', data: { id: taskId } }
        : { type: 'task', data: Task.toJson({ ...task }) };
    for (const client of this.clientsOf(tenantId)) {
      if (client.connected?.viewer === viewer) client.sendLatest(taskId, message);
    }
  }
}
