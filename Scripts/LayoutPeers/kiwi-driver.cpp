// Runs a constraint program through kiwi and prints the microseconds of each phase, a line each: "name microseconds".
// usage: kiwi-driver FILE
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <kiwi/kiwi.h>

struct Step {
    std::string kind;
    int index = 0;
    double value = 0;
};

struct Phase {
    std::string name;
    std::vector<Step> steps;
};

int main(int count, char** arguments) {
    if (count != 2) return 2;
    std::ifstream file(arguments[1]);
    std::string word;
    std::vector<kiwi::Variable> variables;
    std::vector<kiwi::Constraint> constraints;
    std::vector<Phase> phases;
    while (file >> word) {
        if (word == "vars") {
            int total;
            file >> total;
            for (int i = 0; i < total; ++i) variables.emplace_back(std::to_string(i));
        } else if (word == "constraint") {
            int relation, terms;
            double strength, constant;
            file >> relation >> strength >> constant >> terms;
            std::vector<kiwi::Term> sum;
            for (int i = 0; i < terms; ++i) {
                int variable;
                double coefficient;
                file >> variable >> coefficient;
                sum.emplace_back(variables[variable], coefficient);
            }
            kiwi::Expression expression(sum, -constant);
            auto op = relation == 0 ? kiwi::OP_EQ : relation == 1 ? kiwi::OP_LE : kiwi::OP_GE;
            constraints.emplace_back(expression, op, strength == 0 ? kiwi::strength::required : strength);
        } else if (word == "phase") {
            phases.emplace_back();
            file >> phases.back().name;
        } else {
            Step step;
            step.kind = word;
            if (word != "read") file >> step.index;
            if (word == "edit" || word == "suggest") file >> step.value;
            phases.back().steps.push_back(step);
        }
    }
    kiwi::Solver solver;
    double sum = 0;
    for (auto& phase : phases) {
        auto start = std::chrono::steady_clock::now();
        for (auto& step : phase.steps) {
            if (step.kind == "add") solver.addConstraint(constraints[step.index]);
            else if (step.kind == "remove") solver.removeConstraint(constraints[step.index]);
            else if (step.kind == "edit") solver.addEditVariable(variables[step.index], step.value);
            else if (step.kind == "suggest") solver.suggestValue(variables[step.index], step.value);
            else {
                solver.updateVariables();
                for (auto& variable : variables) sum += variable.value();
            }
        }
        auto end = std::chrono::steady_clock::now();
        double micros = std::chrono::duration<double, std::micro>(end - start).count();
        std::printf("%s %.3f\n", phase.name.c_str(), micros);
    }
    std::fprintf(stderr, "%g\n", sum);
    return 0;
}
