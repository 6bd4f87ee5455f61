/** Parts shared by reports on people: departments, and the length of employment in them. */
import { Type } from 'typebox';
import type { Language } from '../../../domain/locale/formats.ts';
import { nullable, text, uuid } from '../../platform/validation/schemas.ts';

/** The parameter that limits a report to a department. */
export const OF_DEPARTMENT = { department_id: Type.Optional(uuid({ description: 'Only of this department' })) };

/** Members of rows that identify a department. */
export const DEPARTMENT = {
  department_id: nullable(uuid({ description: 'Null: of those who are in none' })),
  name: { ...text({ max: 500, description: 'The name of the department' }), 'x-label': 'department' },
};

/** Contracts in force in a period, each with its days in it. */
export const HELD = `
  held as (
    select c.employee_id, c.department_id, w.place, c.working_hours, greatest(c."from", :from::date) as "from",
      least(coalesce(c."to", :to::date), :to::date) as "to"
    from employee_contracts c left join departments w on w.id = c.department_id
    where c."from" <= :to::date and coalesce(c."to", :to::date) >= :from::date
      and (:department::uuid is null or c.department_id = :department::uuid)
  )`;

/**
 * SQL of the number of holidays of a department from one day to another.
 * @param place SQL of the department's place
 */
export function holidaysIn(from: string, to: string, place: string): string {
  return `(select count(*) from holidays x where x.day between ${from} and ${to} and (x.place is null or x.place = ${place}))`;
}

const NOBODYS = { en: 'Without department', es: 'Sin departamento' } as const;

/** Name of a row's department; a label for rows without one. */
export function departmentName(name: string | null, language: Language): string {
  return name ?? NOBODYS[language];
}
