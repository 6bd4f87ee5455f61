/** Checks of settings that their schemas cannot express: locales, time zones and date patterns. */
import { type FieldError, validationFailed } from '../../../domain/errors.ts';
import { isTimeZone } from '../../../domain/locale/time-zones.ts';
import type { SettingsByName, SettingsName } from './definitions.ts';

type Given = { readonly [N in SettingsName]?: Partial<SettingsByName[N]> };

/** Checks settings. @throws ServiceError validation_failed naming each invalid member */
export function checkSettings({ format = {}, branding = {} }: Given): void {
  const faults: FieldError[] = [];
  const check = (member: string, value: string | undefined, holds: (text: string) => boolean, message: string) => {
    if (value !== undefined && !holds(value)) faults.push({ pointer: `/${member}`, code: 'invalid_format', message });
  };
  check('locale', format.locale, isLocale, 'must be a language and region that the service knows, such as es-ES');
  check('timezone', format.timezone, isTimeZone, 'must be an IANA time zone, such as Europe/Madrid');
  check('dateFormat', format.dateFormat, isDateFormat, 'must hold dd, MM and yyyy (or yy) once each, with separators');
  check('logoUrl', branding.logoUrl, isEmptyOrWebAddress, 'must be an http or https address, or empty');
  if (faults.length > 0) throw validationFailed(faults);
}

function isLocale(text: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(text).length === 1;
  } catch {
    return false; // not even shaped like a language tag
  }
}

function isDateFormat(text: string): boolean {
  const parts = /^(dd|MM|yyyy|yy)([/.\- ]{1,2})(dd|MM|yyyy|yy)([/.\- ]{1,2})(dd|MM|yyyy|yy)$/.exec(text);
  if (parts === null) return false;
  return new Set([parts[1], parts[3], parts[5]].map((part) => part?.[0])).size === 3;
}

function isEmptyOrWebAddress(text: string): boolean {
  return text === '' || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol));
}
