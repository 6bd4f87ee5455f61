/** To-dos: what people of the company must do, and what they must decide. */

/** `approval`: somebody waits for a yes or no. */
export const TO_DO_KINDS = ['to_do', 'approval'] as const;
export type ToDoKind = (typeof TO_DO_KINDS)[number];

/** `expired`: an approval that nobody has answered in time; `cancelled`: nobody needs it any more. */
export const TO_DO_STATUSES = ['open', 'done', 'approved', 'refused', 'expired', 'cancelled'] as const;
export type ToDoStatus = (typeof TO_DO_STATUSES)[number];

/** The answers to an approval. */
export const ANSWERS = ['approved', 'refused'] as const;
export type Answer = (typeof ANSWERS)[number];

/** Who must do it: a user, or whoever has a role first. One of the members is null. */
export interface Assignee {
  readonly userId: string | null;
  readonly role: string | null;
}

/** Whether a member is the one who must do it, or one of them. */
export function isAssigned(assignee: Assignee, member: Assignee): boolean {
  return assignee.userId === null ? assignee.role === member.role : assignee.userId === member.userId;
}
