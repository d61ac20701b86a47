/** A cash box is to be collected from this share of its capacity on, in percent. */
export const fullFromPercent = 90
