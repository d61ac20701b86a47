import type { ECharts } from 'echarts/core'

/** Keeps a chart as large as its box and reports each new size; the returned function stops it. */
export function followSize(chart: ECharts, box: HTMLElement, onResize?: () => void): () => void {
  const watcher = new ResizeObserver(() => {
    if (box.clientWidth === chart.getWidth() && box.clientHeight === chart.getHeight()) return
    chart.resize()
    onResize?.()
  })
  watcher.observe(box)
  return () => watcher.disconnect()
}
