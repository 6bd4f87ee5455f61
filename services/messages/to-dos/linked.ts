/** Approvals as the link in a mail opens them: for one person, without a login. */
import type { Context } from '../../../db/context.ts';
import type { Database, Reader } from '../../../db/database.ts';
import { ToDo } from '../../../db/models/messages/to-dos.ts';
import { findRow } from '../../../db/queries/find.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { formatsFor, type Language } from '../../../domain/locale/formats.ts';
import { type Answer, isAssigned } from '../../../domain/messages/to-dos.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { answerApproval } from './end.ts';
import type { AnswerLink } from './links.ts';
import { findMember } from './members.ts';

/** An approval with its reader. */
export interface LinkedApproval {
  readonly companyName: string;
  readonly language: Language;
  readonly title: string;
  readonly body: string;
  /** Whether the reader can answer it now. */
  readonly isOpen: boolean;
  readonly status: ToDo['status'];
  /** The role of the reader; null if they are no longer asked. */
  readonly role: string | null;
}

/** Loads the approval of a link that was checked; null if it is no longer there, or its reader no longer asked. */
export async function loadLinked(
  reader: Reader,
  { toDoId, userId }: AnswerLink,
  now: Date,
): Promise<LinkedApproval | null> {
  const [toDo, member, company, format] = await Promise.all([
    findRow(reader, ToDo, { id: toDoId }),
    findMember(reader, { userId }),
    loadSettings(reader, 'company'),
    loadSettings(reader, 'format'),
  ]);
  if (toDo === undefined || member === undefined || !isAssigned(toDo, member)) return null;
  const { title, body, status, dueAt } = toDo;
  const isOpen = status === 'open' && (dueAt === null || Date.parse(dueAt) > now.getTime());
  const { language } = formatsFor(format, member.locale);
  return { companyName: company.name, language, title, body, status, isOpen, role: member.role };
}

/** Answers as the reader of a link, unless it has ended: others may have been faster. */
export async function answerLinked(
  database: Database,
  ctx: Context,
  { toDoId, userId }: AnswerLink,
  answer: Answer,
): Promise<void> {
  await database.withTenant(ctx, async (trx) => {
    const linked = await loadLinked(trx, { tenantId: ctx.tenantId, toDoId, userId }, ctx.now);
    if (linked?.isOpen !== true || linked.role === null) return;
    try {
      await answerApproval(trx, ctx, { userId, role: linked.role }, toDoId, { answer, comment: null }, null);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'invalid_transition') throw error;
    }
  });
}
