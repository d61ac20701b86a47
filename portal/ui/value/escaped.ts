/** Texts in tooltips come from users and machines, and ECharts renders them as HTML. */
export const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
