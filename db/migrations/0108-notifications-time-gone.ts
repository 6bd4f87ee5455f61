/** Ids sort by time: `notifications_of_user` serves what this one did. */
export const up = 'drop index notifications_time';
