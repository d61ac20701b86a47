import { anyCode } from '#contract/vocabulary/alarm-code.ts'

/** The address of the default setting, whose code is `*`; no machine's own code contains a colon. */
const anyInAddress = 'P:ALL'

/** Where the setting of an alarm code is edited. */
export const settingPlace = (code: string) => ({
  to: '/manage/merchant-alarms-settings/$code',
  params: { code: code === anyCode ? anyInAddress : code },
})

/** The alarm code of an address. */
export const codeInAddress = (code: string) => (code === anyInAddress ? anyCode : code)
