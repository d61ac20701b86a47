import type { ECharts } from 'echarts/core'

/** Keeps a chart as large as its box, from the size it was made in; the answer ends it. */
export function followSize(chart: ECharts, box: HTMLElement): () => void {
  const watcher = new ResizeObserver(() => {
    if (box.clientWidth !== chart.getWidth() || box.clientHeight !== chart.getHeight()) chart.resize()
  })
  watcher.observe(box)
  return () => watcher.disconnect()
}
