/** `npm run test:full`: tests then try all variants and check each screen on the way. */
export const isFullRun = process.env.TEST_RUN === 'full'
