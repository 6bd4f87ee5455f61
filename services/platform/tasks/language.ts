/** The language in which a person reads what the service says of their tasks. */
import type { Reader } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { type Language, readersLanguage } from '../../../domain/locale/formats.ts';

/** The language of a person's own locale; English for API keys, and for people who have chosen none. */
export async function personsLanguage(reader: Reader, userId: string | null): Promise<Language> {
  if (userId === null) return 'en';
  const [user] = await prepared<{ locale: string | null }>(reader, 'select locale from users where id = :userId', {
    userId,
  });
  return user?.locale ? readersLanguage(user.locale) : 'en';
}
