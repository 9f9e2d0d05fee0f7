/** Sets an entry as the newest and removes the oldest beyond `max`; returns the value. */
export function keepNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, max: number): Value {
  map.delete(key)
  map.set(key, value)
  if (map.size > max) map.delete(map.keys().next().value as Key)
  return value
}
