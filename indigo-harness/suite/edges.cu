//@ if boundsBug
// BUG: one edge too many.
//@ end
//@ if thread & !reverse & !boundsBug
for (int e = row[v]; e < row[v + 1]; ++e) {
//@ elif thread & !reverse
for (int e = row[v]; e <= row[v + 1]; ++e) {
//@ elif thread & !boundsBug
for (int e = row[v + 1] - 1; e >= row[v]; --e) {
//@ elif thread
for (int e = row[v + 1]; e >= row[v]; --e) {
//@ elif !reverse & !boundsBug
for (int e = row[v] + lane; e < row[v + 1]; e += lanes) {
//@ elif !reverse
for (int e = row[v] + lane; e <= row[v + 1]; e += lanes) {
//@ elif !boundsBug
for (int e = row[v + 1] - 1 - lane; e >= row[v]; e -= lanes) {
//@ else
for (int e = row[v + 1] - lane; e >= row[v]; e -= lanes) {
//@ end
