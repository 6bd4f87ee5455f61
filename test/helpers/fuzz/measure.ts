/** Sends requests one at a time and measures what each costs. */
import { Agent, request } from 'node:http';
import { longestStretch } from '../event-loop.ts';
import { mainThreadCpu } from '../main-thread.ts';
import type { Sent } from './attempts.ts';

export interface Cost {
  readonly status: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Milliseconds of CPU of the main thread. */
  readonly cpu: number;
  /** How many of them at most in one go. */
  readonly stretch: number;
  /** The beginning of the answer. */
  readonly told: string;
}

export class Meter {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #address: string;
  /** The token of a session that serves nothing else: some requests end it. */
  token = '';

  constructor(address: string) {
    this.#address = address;
  }

  /** Sends a request and reads its answer, without parsing it. */
  async send(sent: Sent): Promise<Cost> {
    const { answer, longest } = await longestStretch(() => this.#exchange(sent));
    return { ...answer, stretch: longest };
  }

  async #exchange({ method, path, body, type }: Sent): Promise<Omit<Cost, 'stretch'>> {
    const headers = {
      Authorization: `Bearer ${this.token}`,
      ...(body === null ? {} : { 'Content-Type': type, 'Content-Length': body.length }),
    };
    const before = mainThreadCpu();
    return await new Promise((resolve, reject) => {
      const sent = request(this.#address + path, { method, headers, agent: this.#agent }, (answer) => {
        let bytesOut = answer.rawHeaders.join('').length;
        let told = '';
        answer.on('data', (chunk: Buffer) => {
          bytesOut += chunk.length;
          if (told.length < 2000) told += chunk.toString('latin1');
        });
        answer.on('end', () => {
          const cpu = mainThreadCpu() - before;
          const bytesIn = method.length + path.length + (body?.length ?? 0);
          resolve({ status: answer.statusCode ?? 0, bytesIn, bytesOut, cpu, told });
        });
        answer.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body ?? undefined);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
