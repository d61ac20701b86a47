/** The font in pieces, as the build cuts it (`scripts/portal/fonts.ts`). */
declare module 'virtual:inter.css'
