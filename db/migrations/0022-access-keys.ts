/** API keys know who took them over and with which key they were made: none has rights, or a life, beyond those of its origin. */
import { reference } from './schema.ts';

export const up = `
  alter table api_keys add column taken_over_by uuid references users (id), add column made_with uuid;
  alter table api_keys add ${reference('api_keys', 'made_with', 'api_keys', 'on delete cascade')};
  comment on column api_keys.taken_over_by is 'Owner who answers for it since whoever created it has left; null before';
  comment on column api_keys.made_with is 'Key with which it was created, and with which it is deleted; null for those that people create';
  create trigger api_keys_caller_taken after update of taken_over_by on api_keys for each row execute function notify_caller();
`;
