/**
 * Sends news to clients. All clients of a company that wait for news share one statement. A client gets its next messages only when the
 * last have left, so a slow client delays nobody and costs little memory.
 */
import type { Database } from '../../../db/database.ts';
import { Notification } from '../../../db/models/messages/notifications.ts';
import { Task } from '../../../db/models/platform/tasks.ts';
import { findRow } from '../../../db/queries/find.ts';
import { notificationsAfter } from '../../../services/messages/notifications/feed.ts';
import type { Signal } from '../../../services/platform/feed/channel.ts';
import type { Logger } from '../../logger.ts';
import type { Client } from './client.ts';

/** Maximum clients per statement, and notifications per client. */
const CLIENTS_PER_QUERY = 100;
const NOTIFICATIONS_PER_CLIENT = 50;
/** Minimum interval between messages on the progress of a task. */
const TASK_INTERVAL_MS = 500;
/** Delay before another try after a failure of the database. */
const RETRY_MS = 2000;

/** The clients of a company. */
interface Company {
  readonly clients: Set<Client>;
  /** Clients for whom there may be news. */
  readonly due: Set<Client>;
  running: boolean;
}

export class Feed {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #companies = new Map<string, Company>();
  /** Timers of tasks with unreported progress. */
  readonly #tasks = new Map<string, NodeJS.Timeout>();
  #closed = false;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** The connected clients of a company. */
  companyClients(tenantId: string): ReadonlySet<Client> {
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

  /** Handles a signal from any process. */
  handleSignal(signal: Signal): void {
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

  /** Sends a client everything that it has not seen. */
  catchUp(client: Client, tenantId: string): void {
    this.#catchUp(tenantId, (one) => one === client);
  }

  /** Sends all clients what they have not seen, because signals may have been missed. */
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
        // A client that is still receiving becomes due again when its messages have left.
        const ready = [...company.due].filter(({ isSending }) => !isSending).slice(0, CLIENTS_PER_QUERY);
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
    const news = await notificationsAfter(this.#database.reader({ tenantId }), cursors, NOTIFICATIONS_PER_CLIENT);
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
      if (own.length === NOTIFICATIONS_PER_CLIENT) company.due.add(client);
      client.send(own);
    }
  }

  #tellTask(tenantId: string, taskId: string, viewer: string): void {
    if (this.#tasks.has(taskId) || this.#closed) return;
    if (![...this.companyClients(tenantId)].some(({ connected }) => connected?.viewer === viewer)) return;
    const timer = setTimeout(() => {
      this.#tasks.delete(taskId);
      this.#readTask(tenantId, taskId, viewer).catch((error: unknown) => {
        this.#logger.warn({ error: String(error) }, 'A task could not be read for connected clients');
      });
    }, TASK_INTERVAL_MS);
    this.#tasks.set(taskId, timer.unref());
  }

  async #readTask(tenantId: string, taskId: string, viewer: string): Promise<void> {
    const task = await findRow(this.#database.reader({ tenantId }), Task, { id: taskId });
    const message =
      task === undefined
        ? { type: 'task_removed', data: { id: taskId } }
        : { type: 'task', data: Task.toJson({ ...task }) };
    for (const client of this.companyClients(tenantId)) {
      if (client.connected?.viewer === viewer) client.sendLatest(taskId, message);
    }
  }
}
