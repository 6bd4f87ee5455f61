import { Type } from 'typebox';
import { text } from '../../../services/platform/validation/schemas.ts';

export const TAG = 'Veri*factu';

/** An error of the tax agency, explained. */
export const AgencyError = Type.Object({
  code: text({ description: 'Number of the error; 0 where the agency gives none' }),
  text: text({ min: 0, description: "The agency's own words" }),
  en: text({ description: 'What it means, and what to do' }),
  es: text({ description: 'The same in Spanish' }),
});
