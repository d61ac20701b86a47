/** The merchant's part of the address: `/key/{slug}/…`. */
export const slug = decodeURIComponent(window.location.pathname.split('/')[2] ?? '')

/** The address of the merchant's app, without a slash at its end. */
export const home = `/key/${slug}`

/** The app is shown by the staff's preview, with settings that are not saved. */
export const isPreview = window.parent !== window && new URLSearchParams(window.location.search).has('preview')
