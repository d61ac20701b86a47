/** Where what to do about a code is written. */
export const guidePlace = (code: string) => ({ to: '/admin/troubleshooting-alarm/$code', params: { code } })
