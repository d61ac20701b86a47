/** The form of an alarm's code: ours, the standard's, or a maker's own. */
export const alarmCodePattern = /^[A-Za-z0-9_.:-]{1,20}$/

/** The code that stands for all others in a merchant's settings. */
export const anyCode = '*'
