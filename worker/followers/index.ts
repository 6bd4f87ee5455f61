/** All followers of events. For a company, they work in this order. */
import { ledger, notifications } from './companies.ts';
import type { Follower } from './follower.ts';
import { REACTIONS } from './reactions.ts';
import { rules } from './rules.ts';
import { webhooks } from './webhooks.ts';

export const FOLLOWERS: readonly Follower[] = [...REACTIONS, webhooks, rules, ledger, notifications];
