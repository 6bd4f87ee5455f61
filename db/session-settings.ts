/** Settings of the service's sessions: given to a connection once, or, through a pooler, to each transaction (decision 0279). */
import { FIRST_PLAN_MODE } from './plan-modes.ts';

export type SessionSettings = Readonly<Record<string, string>>;

/** @param more settings of this process, among them its role */
export function sessionSettings(more: SessionSettings): SessionSettings {
  return {
    timezone: 'UTC',
    client_min_messages: 'notice',
    // The long statements of documents have high estimated costs but run within milliseconds; compiling them would take longer.
    jit: 'off',
    plan_cache_mode: FIRST_PLAN_MODE,
    statement_timeout: '30s',
    idle_in_transaction_session_timeout: '60s',
    ...more,
  };
}

/** As options of a connection's start. */
export function asOptions(settings: SessionSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** As SQL for the beginning of a transaction. */
export function asLocal(settings: SessionSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `set local ${name} = '${value}'`)
    .join('; ');
}
