/** Where the troubleshooting text of a code is edited. */
export const guidePlace = (code: string) => ({ to: '/admin/troubleshooting-alarm/$code', params: { code } })
