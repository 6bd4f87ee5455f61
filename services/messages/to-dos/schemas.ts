/** Schemas of requests about to-dos. */
import { Type } from 'typebox';
import { ROLES, type Role } from '../../../domain/permissions.ts';
import { choice, type Input, instant, label, nullable, uuid } from '../../platform/validation/schemas.ts';

export const MAX_TITLE = 200;
export const MAX_BODY = 2000;
const MAX_COMMENT = 500;

const members = {
  title: label({ max: MAX_TITLE, description: 'What is to be done' }),
  body: label({ min: 0, max: MAX_BODY, description: 'More about it' }),
  user_id: nullable(uuid({ description: 'The member who must do it' })),
  role: nullable(
    choice(Object.keys(ROLES) as Role[], {
      description: 'The role of those of whom one must do it, in place of a user',
    }),
  ),
  due_at: nullable(instant({ description: 'When it must be done' })),
  document_id: nullable(uuid({ description: 'The document that it is about' })),
};

const optional = Type.Optional;
const CLOSED = { additionalProperties: false } as const;

export const ToDoBody = Type.Object(
  {
    title: members.title,
    body: optional(members.body),
    user_id: optional(members.user_id),
    role: optional(members.role),
    due_at: optional(members.due_at),
    document_id: optional(members.document_id),
  },
  { ...CLOSED, title: 'ToDoNew' },
);
export type NewToDo = Input<typeof ToDoBody>;

export const ToDoPatch = Type.Object(
  {
    title: optional(members.title),
    body: optional(members.body),
    user_id: optional(members.user_id),
    role: optional(members.role),
    due_at: optional(members.due_at),
    document_id: optional(members.document_id),
  },
  { ...CLOSED, title: 'ToDoPatch' },
);
export type ToDoChange = Input<typeof ToDoPatch>;

export const ToDoEnd = Type.Object(
  { comment: optional(nullable(label({ max: MAX_COMMENT, description: 'What to say about it' }))) },
  { ...CLOSED, title: 'ToDoEnd' },
);
