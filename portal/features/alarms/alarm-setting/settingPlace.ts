import { anyCode } from '#contract/vocabulary/alarm-code.ts'

/** The default of all others in an address, where `*` is none; no machine's own code holds a colon. */
const anyInAddress = 'P:ALL'

/** Where it is said how alarms of a code are handled. */
export const settingPlace = (code: string) => ({
  to: '/manage/merchant-alarms-settings/$code',
  params: { code: code === anyCode ? anyInAddress : code },
})

/** The code that an address means. */
export const codeInAddress = (code: string) => (code === anyInAddress ? anyCode : code)
